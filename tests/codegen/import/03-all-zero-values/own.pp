package acme {
    baseProviderName = "acme"
}

resource res "acme:index/strict:Strict" {
    a = null
    b = false
    e = "small"
    i = 0
    j = {}
    l = []
    m = {}
    n = 0
    o = {
        name = "",
    }
    s = ""
    u = 0
    x = {}
    options {
        protect = true
    }
}
