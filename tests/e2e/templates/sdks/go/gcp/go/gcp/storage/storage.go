package storage

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type BucketArgs struct {
	Location                 pulumi.StringInput
	UniformBucketLevelAccess pulumi.BoolPtrInput
}

type Bucket struct {
	pulumi.CustomResourceState

	Url pulumi.StringOutput `pulumi:"url"`
}

func NewBucket(ctx *pulumi.Context, name string, args *BucketArgs, opts ...pulumi.ResourceOption) (*Bucket, error) {
	bucket := &Bucket{}
	inputs := pulumi.Map{"location": args.Location, "uniformBucketLevelAccess": args.UniformBucketLevelAccess}
	return bucket, ctx.RegisterResource("gcp:storage/bucket:Bucket", name, inputs, bucket, opts...)
}
