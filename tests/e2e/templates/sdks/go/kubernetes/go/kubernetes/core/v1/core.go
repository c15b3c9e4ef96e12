package v1

import (
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type ContainerArgs struct {
	Name  pulumi.StringInput
	Image pulumi.StringInput
}

type ContainerArray []ContainerArgs

type PodSpecArgs struct {
	Containers ContainerArray
}

type PodTemplateSpecArgs struct {
	Metadata *metav1.ObjectMetaArgs
	Spec     *PodSpecArgs
}
