from sdk import resource

Bucket = resource("aws:s3/bucket:Bucket")
