package acme {
    baseProviderName = "acme"
}

resource res "acme:store/bucket:Bucket" {
    policy = "p"
    options {
        protect = true
    }
}
