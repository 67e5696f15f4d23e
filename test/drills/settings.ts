/** A drill can be tried in seconds: `DRILL_MAILS=40 DRILL_KILLS=2 npm run drills -- -t flush`. */
export const settings = {
  /** Mails of one drill at least; more when the fault takes longer. */
  mails: given('DRILL_MAILS', 300),
  /** Mails enqueued a second. */
  mailsASecond: given('DRILL_RATE', 10),
  /** How often a worker is killed. */
  kills: given('DRILL_KILLS', 50),
  /** How many processes are killed between their commit and the hand-over. */
  crashes: given('DRILL_CRASHES', 10),
  /** Invoices that are raised while the payment processor is stopped. */
  invoices: given('DRILL_INVOICES', 30),
  /** Events that a faulty receiver of webhooks is sent. */
  webhooks: given('DRILL_WEBHOOKS', 200),
  /** Seconds for which something is stopped. */
  stops: (process.env.DRILL_STOPS ?? '5,30').split(',').map(Number),
}

function given(name: string, usual: number): number {
  return Number(process.env[name] ?? usual)
}
