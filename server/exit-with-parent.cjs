// Loaded into Next's process before Next: it ends when the process that started it is gone.
process.on('disconnect', () => process.exit(0));
