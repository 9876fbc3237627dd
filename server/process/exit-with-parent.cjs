// Loaded into Next's process before Next: ends it when its parent process is gone.
process.on('disconnect', () => process.exit(0));
