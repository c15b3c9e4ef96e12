declare const sdk: any;
export = sdk;
