import { runApi } from '../../src/api/run-api.ts'
import { openLocalFront } from './local-front.ts'

/** Runs the API process of `flightline start`: the API, with the links of the stand-ins on its front page. */
export async function runLocalApi(): Promise<void> {
  await runApi((core) => openLocalFront(core, process.env))
}
