package acme {
    baseProviderName = "acme"
    baseProviderVersion = "1.2.3"
}

resource prov "pulumi:providers:acme" {
    apiToken = secret("tok")
    region = "south"
    retries = 2
    options {
        version = "1.2.3"
    }
}

resource b "acme:store/bucket:Bucket" {
    policy = "p"
    options {
        provider = prov
        protect = true
    }
}
