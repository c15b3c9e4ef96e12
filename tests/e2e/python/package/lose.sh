# The SDK is gone, as after a clone; its plugin is installed.
set -e
rm -r sdks
folder=$PULUMI_HOME/plugins/resource-thing-v1.0.0
mkdir -p "$folder"
ln -sf "$(command -v pulumi-resource-thing)" "$folder/pulumi-resource-thing"
