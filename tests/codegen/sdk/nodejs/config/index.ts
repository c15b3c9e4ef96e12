// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

export * from "./vars";
