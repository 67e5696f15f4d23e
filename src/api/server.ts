import { runApi } from './run-api.ts'

/** The API process: `npm run api`. */
await runApi()
