echo "resources: { pet: { type: random:RandomPet, properties: { prefix: '$1' } } }"
echo "outputs: { stack: '$PULUMI_STACK', project: '\${pulumi.project}', prefix: '\${pet.prefix}' }"
