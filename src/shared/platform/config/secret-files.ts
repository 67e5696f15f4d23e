import { readFileSync } from 'node:fs'

/** The variables that may hold a secret. For each, `<name>_FILE` can name a file with the value instead. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'MIGRATION_DATABASE_URL',
  'QUEUE_DATABASE_URL',
  'REDIS_URL',
  'AUTH_KEYS',
  'RECORD_KEYS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'FIREBASE_SERVICE_ACCOUNT',
  'ZOOM_CLIENT_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'OPS_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

type Env = Record<string, string | undefined>

/**
 * Returns the environment with every secret read from the file that its `<name>_FILE` variable names, without the final
 * newline. When the secret itself is set, its file is not read. `problems` lists the files that cannot be read.
 */
export function withSecretsOfFiles(given: Env): { env: Env; problems: string[] } {
  const env = { ...given }
  const problems: string[] = []
  for (const name of secretNames) {
    const path = given[`${name}_FILE`]
    if (!path || given[name]) continue
    try {
      env[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined
    } catch (error) {
      problems.push(`${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { env, problems }
}
