import { runApi } from '../../api/run-api.ts'
import { openLocalFront } from './local-front.ts'

/** The API process of `npm start`: the same as any other, with the stand-ins on its front page. */
await runApi((core) => openLocalFront(core, process.env))
