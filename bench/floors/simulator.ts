import { startStripeSimulator } from '../../local/payments/stripe-simulator.ts'

/** Runs the simulator of the payment gateway in its own process. */
await startStripeSimulator({
  port: Number(process.env.PORT),
  host: '127.0.0.1',
  secretKey: process.env.STRIPE_SECRET_KEY ?? '',
  webhookSecret: process.env.STRIPE_WEBHOOK_SECRET ?? '',
  webhookUrl: null,
})
process.send?.('ready')
