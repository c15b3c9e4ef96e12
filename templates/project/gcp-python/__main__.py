import pulumi
from pulumi_gcp import storage

bucket = storage.Bucket("bucket", location="US", uniform_bucket_level_access=True)

pulumi.export("bucketUrl", bucket.url)
