import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../src/shared/platform/kernel/text.ts'
import { saveCard } from './cards.ts'
import { parseForm } from './form.ts'
import { renderPage } from './page-layout.ts'
import type { Simulator } from './simulator.ts'
import { CARD_KINDS, type CardKind, OWN_ACCOUNT } from './store.ts'

type SetUpPage = { Params: { account: string; session: string } }

const LABELS: Record<CardKind, string> = {
  ok: 'Save a card',
  declined: 'Save a card that will be declined',
  authentication_required: 'Save a card whose bank asks the payer to confirm',
  expired: 'Save a card that has expired',
}

/**
 * Serves the page on which a payer saves a card. A POST with `card` saves a card of that kind, once per session; the
 * real page asks for a card number.
 */
export function serveSetUpPage(app: FastifyInstance, simulator: Simulator, publicUrl: () => string): void {
  app.get<SetUpPage>('/c/:account/:session', (request, reply) => {
    const { setup } = find(simulator, publicUrl(), request.params)
    if (!setup) return html(reply.code(404), '<h1>There is no such page.</h1>')
    if (setup.status === 'succeeded') return html(reply, '<h1>The card is saved.</h1>')
    const buttons = CARD_KINDS.map((kind) => `<button name="card" value="${kind}">${escapeHtml(LABELS[kind])}</button>`)
    return html(
      reply,
      `<h1>Save a card</h1>
<p class="quiet">A simulated page: the real processor asks here for the number of the card.</p>
<form method="post">${buttons.join('\n')}</form>`,
    )
  })

  app.post<SetUpPage>('/c/:account/:session', (request, reply) => {
    const { setup, scope } = find(simulator, publicUrl(), request.params)
    if (!setup) return html(reply.code(404), '<h1>There is no such page.</h1>')
    const kind = kindIn(request)
    if (kind === null) return reply.code(400).send({ message: `card: must be one of ${CARD_KINDS.join(', ')}` })
    if (setup.status === 'succeeded') return reply.code(409).send({ message: 'A card was saved on this page already.' })
    if (setup.session.expiresAt <= scope.now) return reply.code(409).send({ message: 'This page has expired.' })
    const { id } = saveCard(scope, setup, kind)
    simulator.save()
    if (request.headers.accept?.includes('application/json')) return reply.send({ id })
    return reply.redirect(setup.session.successUrl, 303)
  })
}

function kindIn({ body }: FastifyRequest): CardKind | null {
  const { card } = parseForm(typeof body === 'string' ? body : '')
  return CARD_KINDS.find((kind) => kind === card) ?? null
}

function find(simulator: Simulator, publicUrl: string, { account, session }: SetUpPage['Params']) {
  const known = simulator.state.books.has(account) && account !== OWN_ACCOUNT
  const scope = simulator.scope(known ? account : null, publicUrl, null)
  const book = simulator.state.books.get(account)
  return { scope, setup: [...(book?.setups.values() ?? [])].find((one) => one.session.id === session) }
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(renderPage('Save a card', body))
}
