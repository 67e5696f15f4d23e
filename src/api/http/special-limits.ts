import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isKnownNetwork } from '../../shared/identity/accounts/account.queries.ts'
import { assertHasRoomForFiles } from '../../shared/identity/members/stored-bytes.access.ts'
import { findOwnerAccounts } from '../../shared/identity/members/user.queries.ts'
import { Unauthenticated } from '../../shared/platform/kernel/errors.ts'
import { mailboxOf } from '../../shared/platform/kernel/mailbox.ts'
import { networkOf } from '../../shared/platform/kernel/networks.ts'
import type { AnyCall, AnyDeclaration, SignInLimit } from './declaration.ts'
import { countsDone, type LimitName } from './limits.ts'
import { passwordAttempts, passwordOf } from './reauthentication.ts'
import type { Services } from './services.ts'

/** Returns a keyed hash of the network of a request. Hashes can be compared, but do not disclose the network. */
export function networkMark(services: Pick<Services, 'fingerprint'>, request: FastifyRequest): string {
  return services.fingerprint(`network ${networkOf(request.ip)}`)
}

/**
 * Returns the hook that counts a request per network against the limit of pages: for pages, documents and the health
 * check for people, none of which needs a token.
 */
export function countPage(services: Pick<Services, 'rateLimits'>): onRequestAsyncHookHandler {
  return (request, reply) => services.rateLimits.consume(reply, [['pages', networkOf(request.ip)]])
}

/**
 * Counts a request against the limits that its endpoint declares, except limits of completed work.
 * Implements interface §Limits.
 */
export async function countSpecial(endpoint: AnyDeclaration, call: AnyCall): Promise<void> {
  const { signIn, mailTo, invite } = endpoint.rateLimit ?? {}
  if (signIn && !signIn.failuresOnly) await countSignIn(signIn, call)
  const counted = await declaredLimits(endpoint, call, false)
  const email = await mailTo?.(call)
  if (email != null) counted.push(['mailedAddress', mailboxOf(email)])
  const invited = (await invite?.(call)) ?? null
  if (invite) counted.push(...(await invitationLimits(call, invited)))
  if (counted.length > 0) await call.count(counted)
  // Counted without refusing: anybody can cause mails to an address, which must not block an invitation to it.
  if (invited !== null) await call.services.rateLimits.note([['mailedAddress', mailboxOf(invited)]])
}

/**
 * Counts a request against the declared limits of completed work, before the work. When the request is refused, the
 * count is undone; until then it can cause the refusal of another request.
 * Implements interface §Limits.
 */
export async function countDone(endpoint: AnyDeclaration, call: AnyCall): Promise<void> {
  const { uploads } = endpoint.rateLimit ?? {}
  const counted = await declaredLimits(endpoint, call, true)
  if (uploads) counted.push(...(await uploadLimits(call, uploads(call))))
  if (counted.length > 0) await call.count(counted)
}

async function declaredLimits(
  { rateLimit: { account, organization } = {} }: AnyDeclaration,
  call: AnyCall,
  done: boolean,
): Promise<[LimitName, string][]> {
  const counted: [LimitName, string][] = []
  if (account && countsDone(account) === done) {
    counted.push([account, String((call.account as { accountId: number } | null)?.accountId)])
  }
  if (organization && countsDone(organization) === done) counted.push(...(await organizationLimits(call, organization)))
  return counted
}

/**
 * Returns the keys of a limit per organization: the organization and the account of each owner, so that an owner with
 * several organizations has the limit once.
 */
export async function organizationLimits(
  { actor, db }: Pick<AnyCall, 'actor' | 'db'>,
  limit: LimitName,
): Promise<[LimitName, string][]> {
  if (!actor) return []
  const owners = await findOwnerAccounts(db, actor.organizationId)
  return [[limit, String(actor.organizationId)], ...owners.map((id): [LimitName, string] => [limit, `owner ${id}`])]
}

/**
 * Returns the keys of the upload limits, once per file: the organization and the account of each owner, so that an
 * owner with several organizations has the limit once.
 */
async function uploadLimits({ actor, db, now, services }: AnyCall, files: number): Promise<[LimitName, string][]> {
  if (!actor || files === 0) return []
  await assertHasRoomForFiles(db, actor.organizationId, { now, factor: services.config.RATE_LIMIT_FACTOR })
  const owners = await findOwnerAccounts(db, actor.organizationId)
  const each: [LimitName, string][] = [
    ['uploadsOrganizationDay', String(actor.organizationId)],
    ...owners.map((accountId): [LimitName, string] => ['uploadsOwnerDay', String(accountId)]),
  ]
  return Array.from({ length: files }, () => each).flat()
}

/** Returns the keys of the limits of invitations: the organization, its owners, the account and the invited mailbox. */
async function invitationLimits(call: AnyCall, email: string | null): Promise<[LimitName, string][]> {
  const { actor } = call
  if (!actor || email === null) return []
  const account = String(actor.accountId)
  return [
    ...(await organizationLimits(call, 'invitationsOrganizationHour')),
    ...(await organizationLimits(call, 'invitationsOrganizationDay')),
    ['invitationsAccountHour', account],
    ['invitationsAccountDay', account],
    ['invitedAddressDay', mailboxOf(email)],
  ]
}

/**
 * Counts a request per network, per email address and network, and per email address. The last limit does not apply to
 * a network from which the account signed in recently; otherwise other people could lock the account's holder out.
 */
async function countSignIn({ kind, email, network }: SignInLimit<AnyCall>, call: AnyCall): Promise<void> {
  const from = networkOf(call.request.ip)
  const about = await email(call)
  const counted: [LimitName, string][] = []
  if (!network || (await network(call))) counted.push(['credentialsNetwork', `${kind}:${from}`])
  if (about !== null) counted.push(['credentialsEmailNetwork', `${kind}:${about}:${from}`])
  if (counted.length > 0) await call.count(counted)
  // Read after the counts above, so that refused requests cost no query.
  const everywhere = await everywhereLimits(kind, about, call)
  if (everywhere.length > 0) await call.count(everywhere)
}

/** Returns the key of the limit per email address from all networks; none on a network that the account knows. */
async function everywhereLimits(
  kind: SignInLimit<AnyCall>['kind'],
  about: string | null,
  { services, request, db, now }: AnyCall,
): Promise<[LimitName, string][]> {
  if (about === null || (await isKnownNetwork(db, about, networkMark(services, request), now))) return []
  return [['credentialsEmail', `${kind}:${about}`]]
}

/**
 * Runs a sign-in, of which only failures count: per network, per email address and network, and per email address. Logs a
 * warning when wrong passwords from one network are for many addresses.
 */
async function attemptSignIn<T>(
  { kind, email }: SignInLimit<AnyCall>,
  call: AnyCall,
  reply: FastifyReply,
  run: () => Promise<T>,
): Promise<T> {
  const from = networkOf(call.request.ip)
  const about = await email(call)
  const counted: [LimitName, string][] = [['credentialsNetwork', `${kind}:${from}`]]
  if (about !== null) counted.push(['credentialsEmailNetwork', `${kind}:${about}:${from}`])
  counted.push(...(await everywhereLimits(kind, about, call)))
  const failed = (error: unknown) => error instanceof Unauthenticated
  const watched = async () => {
    try {
      return await run()
    } catch (error) {
      if (failed(error) && about !== null) await warnOfGuessing(call, from, about)
      throw error
    }
  }
  return call.services.rateLimits.attempt(reply, counted, { run: watched, failed })
}

/** Logs a warning when more addresses than the limit had wrong passwords from one network within an hour. */
async function warnOfGuessing({ services: { rateLimits }, request }: AnyCall, network: string, about: string) {
  const known = await rateLimits.note([['guessedAddress', `${network}:${about}`]])
  if (known || !(await rateLimits.note([['guessedAddresses', network]]))) return
  request.log.warn({ network }, 'wrong passwords for many accounts come from one network')
}

/** Runs an endpoint under its limit of failed attempts; without such a limit, just runs it. */
export function attempt<T>(
  services: Services,
  endpoint: AnyDeclaration,
  call: AnyCall,
  reply: FastifyReply,
  run: () => Promise<T>,
): Promise<T> {
  const { signIn } = endpoint.rateLimit ?? {}
  const failures =
    passwordOf(call) !== undefined && endpoint.asksAgain ? passwordAttempts : endpoint.rateLimit?.failures
  if (failures) {
    return services.rateLimits.attempt(reply, [[failures.limit, failures.key(call)]], { run, failed: failures.failed })
  }
  return signIn?.failuresOnly ? attemptSignIn(signIn, call, reply, run) : run()
}
