import { exitWith, onStop } from '../shared/process.ts'
import { greeting } from './greeting.ts'
import { RunningParts } from './running-parts.ts'
import { bringUp } from './stand.ts'

/** `npm start`: the whole service on this machine, nothing installed, with a demo school to look at. */
const parts = new RunningParts()
onStop(() => parts.stop())
try {
  const stand = await bringUp(process.env, { durable: true }, parts)
  process.stdout.write(greeting(stand))
  const death = await stand.died
  process.stderr.write(`flightline: ${death}; stopping everything\n`)
  await parts.stop()
  process.exit(1)
} catch (error) {
  // What a stop in the middle of the start breaks is not worth a word; the stop itself ends the process.
  if (parts.stopping) await new Promise(() => undefined)
  await parts.stop()
  exitWith(error)
}
