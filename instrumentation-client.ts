// Before zod is loaded: it probes `new Function`, which the pages' policy forbids and Firefox reports. Set by its global name, so
// that diners' pages, which have no zod, do not load it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
