"use strict";
const pulumi = require("@pulumi/pulumi");

// Resources and outputs go here.
exports.project = pulumi.getProject();
