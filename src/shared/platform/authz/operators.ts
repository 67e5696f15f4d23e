import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'

/** The `WWW-Authenticate` header of a 401 on the operators' pages. */
export const OPERATORS_CHALLENGE = 'Basic realm="Flightline operations", charset="UTF-8"'

/** Returns whether the operators' pages are enabled: the environment sets their credentials. */
export function hasOperators({ OPS_USER, OPS_PASSWORD }: Pick<Config, 'OPS_USER' | 'OPS_PASSWORD'>): boolean {
  return Boolean(OPS_USER && OPS_PASSWORD)
}

/** Returns whether an `Authorization` header has the operators' credentials. The comparison takes constant time. */
export function isOperator(
  authorization: string | undefined,
  { OPS_USER, OPS_PASSWORD }: Pick<Config, 'OPS_USER' | 'OPS_PASSWORD'>,
): boolean {
  if (!OPS_USER || !OPS_PASSWORD) return false
  const given = /^Basic (.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  return same(Buffer.from(given, 'base64').toString(), `${OPS_USER}:${OPS_PASSWORD}`)
}

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
