#!/usr/bin/env python3
"""make-container.py — makes a container in a server of Azure's blob storage on 127.0.0.1. A signature that is made independently of ours.

usage: AZURE_STORAGE_ACCOUNT=… AZURE_STORAGE_KEY=… make-container.py PORT NAME"""
import base64
import hashlib
import hmac
import http.client
import os
import sys
import time

port, name = sys.argv[1:]
account, key = os.environ["AZURE_STORAGE_ACCOUNT"], base64.b64decode(os.environ["AZURE_STORAGE_KEY"])
date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
path = f"/{account}/{name}"
text = "PUT" + "\n" * 12 + f"x-ms-date:{date}\nx-ms-version:2021-12-02\n/{account}{path}\nrestype:container"
signature = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
connection = http.client.HTTPConnection("127.0.0.1", int(port))
connection.request("PUT", path + "?restype=container", headers={
    "x-ms-date": date, "x-ms-version": "2021-12-02", "Authorization": f"SharedKey {account}:{signature}", "Content-Length": "0"})
status = connection.getresponse().status
sys.exit(0 if status == 201 else f"status {status}")
