import { type Config, required } from '../../config/config.ts'
import type { PaymentGateway } from './payment-gateway.port.ts'
import { createStripeGateway } from './stripe.ts'

/**
 * Opens the payment gateway of the settings.
 * @throws ConfigError naming the variable that is missing
 */
export function openGateway(config: Config): PaymentGateway {
  return createStripeGateway({
    secretKey: required(config, 'STRIPE_SECRET_KEY'),
    webhookSecrets: required(config, 'STRIPE_WEBHOOK_SECRET').split(','),
    ...(config.STRIPE_API_BASE && { apiBase: config.STRIPE_API_BASE }),
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  })
}
