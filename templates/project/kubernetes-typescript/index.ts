import * as k8s from "@pulumi/kubernetes";

const labels = { app: "nginx" };

const deployment = new k8s.apps.v1.Deployment("nginx", {
    spec: {
        selector: { matchLabels: labels },
        replicas: 1,
        template: {
            metadata: { labels },
            spec: { containers: [{ name: "nginx", image: "nginx" }] },
        },
    },
});

export const name = deployment.metadata.name;
