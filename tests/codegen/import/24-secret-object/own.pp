package acme {
    baseProviderName = "acme"
}

resource res "acme:store/bucket:Bucket" {
    mainRule = secret({
        count = 1,
        name = "n",
    })
    policy = "p"
    options {
        protect = true
    }
}
