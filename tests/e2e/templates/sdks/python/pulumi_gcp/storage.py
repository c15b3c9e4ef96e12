from sdk import resource

Bucket = resource("gcp:storage/bucket:Bucket", ["url"])
