package v1

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type LabelSelectorArgs struct {
	MatchLabels pulumi.StringMapInput
}

type ObjectMetaArgs struct {
	Labels pulumi.StringMapInput
}

// ObjectMetaOutput is what the provider says of an object.
type ObjectMetaOutput struct {
	pulumi.StringMapOutput
}

func (o ObjectMetaOutput) Name() pulumi.StringOutput {
	return o.StringMapOutput.MapIndex(pulumi.String("name"))
}
