package s3

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type BucketArgs struct{}

type Bucket struct {
	pulumi.CustomResourceState
}

func NewBucket(ctx *pulumi.Context, name string, args *BucketArgs, opts ...pulumi.ResourceOption) (*Bucket, error) {
	bucket := &Bucket{}
	return bucket, ctx.RegisterResource("aws:s3/bucket:Bucket", name, pulumi.Map{}, bucket, opts...)
}
