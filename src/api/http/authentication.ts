import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Account, type Actor, assertIsVerified } from '../../shared/platform/authz/actor.ts'
import { byRoleOrGrant } from '../../shared/platform/authz/desk-grant.queries.ts'
import type { DeskGrant } from '../../shared/platform/authz/desk-grants.rules.ts'
import type { Role } from '../../shared/platform/authz/roles.ts'
import { networkOf } from '../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { httpErrors } from './http.errors.ts'
import type { Services } from './services.ts'

/**
 * Who may call an endpoint: `anyone` (no token), `account` (signed in, with or without an organization), `member` (of
 * the token's organization), or members with one of the roles. Use cases check rights that depend on the record.
 * Implements interface §Authentication.
 */
export type AccessRule = 'anyone' | 'account' | 'member' | readonly Role[]

/** The caller: anonymous, an account, or a member of the token's organization. */
export interface Caller {
  account: Account | null
  actor: Actor | null
}

/**
 * Counts the request, authenticates the caller, and refuses callers without access.
 * @throws Unauthenticated when the token is absent or not valid.
 * @throws Forbidden when the roles or the organization of the caller do not allow the request.
 * @throws Forbidden EMAIL_NOT_VERIFIED when the endpoint needs a verified address and the account has none.
 * @throws TooManyRequests when a limit is reached.
 */
export async function authenticate(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  rule: { access: AccessRule; grant?: DeskGrant; verified?: boolean; countsItself?: boolean; countsTwice?: boolean },
): Promise<Caller> {
  if (rule.access === 'anyone') {
    if (!rule.countsItself) await services.rateLimits.consume(reply, [['address', networkOf(request.ip)]])
    return { account: null, actor: null }
  }
  const token = bearerToken(request)
  const claims = token ? await services.tokens.verify(token, services.clock()) : null
  if (!claims) {
    await services.rateLimits.consume(reply, [['address', networkOf(request.ip)]])
    throw token ? httpErrors.sessionEnded() : platformErrors.signIn()
  }
  const key = String(claims.accountId)
  await services.rateLimits.consume(reply, [
    ['accountMinute', key],
    ['accountHour', key],
    ...(rule.countsTwice ? ([['accountMinute', key]] as const) : []),
  ])
  const account = await services.readAccount(claims)
  if (!account) throw httpErrors.sessionEnded()
  const { access, grant } = rule
  const actor = access === 'account' ? account.member : await admit(services, account, { access, grant })
  if (rule.verified) assertIsVerified(account)
  return { account, actor }
}

/**
 * Authenticates the caller again while a response is still being sent; null when the token has ended in the meantime.
 */
export async function readAgain(services: Services, request: FastifyRequest): Promise<Account | null> {
  const token = bearerToken(request)
  const claims = token ? await services.tokens.verify(token, services.clock()) : null
  return claims ? services.readAccount(claims) : null
}

/** Returns the member as whom the caller may use the endpoint: by role, or by the desk grant that it declares. */
async function admit(
  { database }: Services,
  { member }: Account,
  { access, grant }: { access: 'member' | readonly Role[]; grant: DeskGrant | undefined },
): Promise<Actor> {
  if (!member) throw httpErrors.noOrganization()
  return access === 'member' ? member : byRoleOrGrant(database.db, member, { wanted: access, grant })
}

function bearerToken(request: FastifyRequest): string | null {
  const { authorization = '' } = request.headers
  return /^bearer /i.test(authorization) ? authorization.slice('bearer '.length) : null
}
