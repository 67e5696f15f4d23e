import { test } from 'vitest'
import { startBilling } from '../support/billing.ts'
import { closedOutFlight } from '../support/flights.ts'

test('hang', async () => {
  for (let i = 0; i < 12; i++) {
    const stand = await startBilling('redis')
    const id = await closedOutFlight(stand.api, stand.school)
    const r = await stand.api.call('POST', `/reservations/${id}/invoices`, { token: stand.school.admin.token })
    await stand.workers.settled()
    const t = performance.now()
    const note = (what: string) => (x: unknown) => { console.log(i, what, Math.round(performance.now() - t)); return x }
    const steps: [string, Promise<unknown>][] = []
    const run = async () => {
      await stand.workers.stop().then(note('workers'))
      await stand.api.close().then(note('api'))
      await stand.simulator.close().then(note('sim'))
    }
    void steps
    await Promise.race([run(), new Promise((_, reject) => setTimeout(() => reject(new Error(`hangs at ${i} ${r.statusCode}`)), 8000))])
  }
}, 120_000)
