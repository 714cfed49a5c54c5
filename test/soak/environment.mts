// n8n's engine reads these when it is loaded, so this is imported first.
process.env.N8N_LOG_LEVEL ??= 'silent';
