import { runApi } from '../../src/api/run-api.ts'
import { openLocalFront } from './local-front.ts'

/** Runs the API process of `flightline start`: the API, whose front page also shows the inbox and the demo accounts. */
export async function runLocalApi(): Promise<void> {
  await runApi((core) => openLocalFront(core, process.env))
}
