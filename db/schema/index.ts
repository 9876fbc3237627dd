export * from './customers';
export * from './ledger';
export * from './menu';
export * from './merchants';
export * from './staff';
export * from './stored-value';
