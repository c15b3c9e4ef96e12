// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

export const Depth = {
    Shallow: 1,
    Deep: -3,
} as const;

export type Depth = (typeof Depth)[keyof typeof Depth];
