"""debugpy as far as the language host sees it: its options, its log, the wait for a client."""
