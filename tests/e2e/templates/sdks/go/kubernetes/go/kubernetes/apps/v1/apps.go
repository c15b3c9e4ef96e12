package v1

import (
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type DeploymentSpecArgs struct {
	Selector *metav1.LabelSelectorArgs
	Replicas pulumi.IntInput
	Template *corev1.PodTemplateSpecArgs
}

type DeploymentArgs struct {
	Spec DeploymentSpecArgs
}

type Deployment struct {
	pulumi.CustomResourceState

	Meta     pulumi.StringMapOutput `pulumi:"metadata"`
	Metadata metav1.ObjectMetaOutput
}

func NewDeployment(ctx *pulumi.Context, name string, args *DeploymentArgs, opts ...pulumi.ResourceOption) (*Deployment, error) {
	containers := pulumi.Array{}
	for _, container := range args.Spec.Template.Spec.Containers {
		containers = append(containers, pulumi.Map{"name": container.Name, "image": container.Image})
	}
	inputs := pulumi.Map{"spec": pulumi.Map{
		"selector": pulumi.Map{"matchLabels": args.Spec.Selector.MatchLabels},
		"replicas": args.Spec.Replicas,
		"template": pulumi.Map{
			"metadata": pulumi.Map{"labels": args.Spec.Template.Metadata.Labels},
			"spec":     pulumi.Map{"containers": containers},
		},
	}}
	deployment := &Deployment{}
	err := ctx.RegisterResource("kubernetes:apps/v1:Deployment", name, inputs, deployment, opts...)
	deployment.Metadata = metav1.ObjectMetaOutput{StringMapOutput: deployment.Meta}
	return deployment, err
}
