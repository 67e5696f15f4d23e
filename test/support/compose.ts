import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')

/** A service of docker-compose.yml with resolved anchors and merges; variables are not replaced. */
export interface ComposeService {
  image: string
  build?: { target: string }
  command?: string[]
  environment?: Record<string, string>
  profiles?: string[]
  volumes?: string[]
  ports?: string[]
  user?: string
  read_only?: boolean
  init?: boolean
  cap_drop?: string[]
  healthcheck?: object
}

export const composeText = readFileSync(join(root, 'docker-compose.yml'), 'utf8')

/** Returns the services of docker-compose.yml by name. */
export function composeServices(): Record<string, ComposeService> {
  return (parse(composeText, { merge: true }) as { services: Record<string, ComposeService> }).services
}

/** Returns the variables of .env.example, parsed as compose and Node.js parse such a file. */
export function exampleVariables(): Record<string, string> {
  return parseEnv(readFileSync(join(root, '.env.example'), 'utf8')) as Record<string, string>
}

/** Returns the variables that docs/operations/several-machines.md gives for the profile ha. */
export function highlyAvailableVariables(): Record<string, string> {
  const page = readFileSync(join(root, 'docs/operations/several-machines.md'), 'utf8')
  const [, block = ''] = /```sh\n(COMPOSE_PROFILES=[^`]+)```/.exec(page) ?? []
  return parseEnv(block) as Record<string, string>
}

/** Returns the environment of a service's container, with the given variables of a `.env`. */
export function composeEnvironment(service: ComposeService, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(String(value), given)]),
  )
}

/** Replaces `${NAME}` and `${NAME:-otherwise}`, innermost first, as compose does. */
export function interpolate(text: string, given: Record<string, string>): string {
  const innermost = /\$\{([A-Z0-9_]+)(?::-([^{}]*))?\}/
  let rest = text
  for (let match = innermost.exec(rest); match; match = innermost.exec(rest)) {
    const [whole, name = '', otherwise = ''] = match
    rest = rest.replace(whole, () => given[name] || otherwise)
  }
  return rest
}
