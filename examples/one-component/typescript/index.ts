import * as path from "path";

import { Service } from "./house";

const service = new Service("service", { title: "web", folder: path.resolve("../services"), port: 8003 });

export const url = service.url;
export const password = service.password;
