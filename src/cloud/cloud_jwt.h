/* cloud_jwt.h — claims that are signed with an RSA key (JSON web tokens, RS256). */
#pragma once

#include "base/error.h"

/* HEADER.CLAIMS.SIGNATURE of two texts in JSON and a private key in PEM. */
fallible cloud_jwt_sign(struct arena *arena, str header, str claims, str private_key, str *out);

/* What a file of a certificate in PEM says of it: base64url of its SHA-1, which names it. */
fallible cloud_jwt_thumbprint(struct arena *arena, str pem, str *out);
