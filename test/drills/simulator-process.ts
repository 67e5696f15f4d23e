import { startStripeSimulator } from '../../local/payments/stripe-simulator.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'

/** The payment processor's stand-in as a process of its own, which can be stopped. Ends with its parent. */
const { url } = await startStripeSimulator({
  port: 0,
  host: '127.0.0.1',
  secretKey: SECRET_KEY,
  webhookSecret: WEBHOOK_SECRET,
  webhookUrl: null,
})
process.on('disconnect', () => process.exit(0))
process.send?.(url)
