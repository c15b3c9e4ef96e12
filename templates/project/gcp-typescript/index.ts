import * as gcp from "@pulumi/gcp";

const bucket = new gcp.storage.Bucket("bucket", {
    location: "US",
    uniformBucketLevelAccess: true,
});

export const bucketUrl = bucket.url;
