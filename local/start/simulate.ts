import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { configOrExit, exitWith, onStop } from '../../src/shared/composition/process.ts'
import { type Config, required } from '../../src/shared/platform/config/config.ts'
import { startMailCatcher } from '../mail/mail-catcher.ts'
import { startStripeSimulator } from '../payments/stripe-simulator.ts'

/** The stand-ins that can run as separate processes, next to a service in containers. */
const standIns = {
  async mail(config: Config) {
    const { MAIL_SMTP_PORT: smtpPort, MAIL_WEB_PORT: webPort, STAND_INS_HOST: host } = config
    const catcher = await startMailCatcher({ smtpPort, webPort, host })
    return { close: catcher.close, line: `mail catcher: SMTP on ${smtpPort}, inbox on ${catcher.webUrl}` }
  },
  async payments(config: Config) {
    await mkdir(config.DATA_DIR, { recursive: true })
    const simulator = await startStripeSimulator({
      port: config.STRIPE_SIMULATOR_PORT,
      host: config.STAND_INS_HOST,
      secretKey: required(config, 'STRIPE_SECRET_KEY'),
      webhookSecret: required(config, 'STRIPE_WEBHOOK_SECRET'),
      webhookUrl: config.STRIPE_SIMULATOR_WEBHOOK_URL ?? `${config.PUBLIC_URL}/webhooks/stripe`,
      ...(config.STRIPE_SIMULATOR_URL && { publicUrl: config.STRIPE_SIMULATOR_URL }),
      stateFile: join(config.DATA_DIR, 'payment-simulator.json'),
    })
    return { close: simulator.close, line: `payment simulator: ${config.STRIPE_SIMULATOR_URL ?? simulator.url}` }
  },
}

/** `flightline simulate mail|payments`: runs a stand-in until a signal stops it. It has no authentication. */
export async function runStandIn(which: string): Promise<void> {
  const config = configOrExit({ HOST: '0.0.0.0' })
  try {
    if (!Object.hasOwn(standIns, which)) throw new Error(`no such stand-in: ${which}; there are mail and payments`)
    const { close, line } = await standIns[which as keyof typeof standIns](config)
    onStop(close)
    process.stdout.write(`flightline: ${line}\n`)
    process.send?.('ready')
  } catch (error) {
    exitWith(error)
  }
}
