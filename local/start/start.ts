import { collectAtRest } from '../../src/shared/composition/collect-at-rest.ts'
import { exitWith, onStop } from '../../src/shared/composition/process.ts'
import { readConfig, required } from '../../src/shared/platform/config/config.ts'
import { type DemoSchoolStatus, ensureDemoSchool, wantsDemoSchool } from '../demo/school/demo-school.ts'
import { payInvoices } from '../demo/school/pay-invoices.ts'
import { saveDemoCard } from '../demo/school/save-card.ts'
import { startLocalStack } from './local-stack.ts'
import { ShutdownSequence } from './shutdown-sequence.ts'
import { startupBanner } from './startup-banner.ts'

/** How long `npm start` waits for the demo school's payments, in milliseconds. */
const PAYING_MS = 5_000

/** `flightline start`: runs the whole service on this machine, with a demo school. It needs no installed software. */
export async function runStart(): Promise<void> {
  const parts = new ShutdownSequence()
  onStop(
    () => parts.stop(),
    (word) => process.stdout.write(`flightline: ${word}\n`),
  )
  try {
    let school: DemoSchoolStatus = { there: false, toPay: [] }
    const stack = await startLocalStack(
      process.env,
      {
        durable: true,
        prepare: async (config, { simulatorUrl, receiverUrl }) => {
          const wanted = wantsDemoSchool(readConfig(process.env, { HOST: config.HOST }), process.env.NODE_ENV)
          school = await ensureDemoSchool(config, { wanted, invoices: simulatorUrl !== null, receiverUrl })
        },
      },
      parts,
    )
    await payInvoices(required(stack.config, 'DATABASE_URL'), school.toPay, PAYING_MS)
    if (school.toPay.length > 0) await saveDemoCard(stack.apiUrl)
    process.stdout.write(startupBanner(stack, school))
    collectAtRest()
    const death = await stack.exited
    process.stderr.write(`flightline: ${death}; stopping everything\n`)
    await parts.stop()
    process.exit(1)
  } catch (error) {
    // A stop interrupts the start. The errors of the start are not reported; the stop ends the process.
    if (parts.stopping) await new Promise(() => undefined)
    await parts.stop()
    exitWith(error)
  }
}
