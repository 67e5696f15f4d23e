import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../src/shared/platform/kernel/text.ts'
import type { Scope } from './endpoint.ts'
import { parseForm } from './form.ts'
import { isPayable, renderInvoice } from './hosted-invoice.ts'
import { charge } from './invoice-moves.ts'
import { renderInvoicePdf } from './invoice-pdf.ts'
import { PAGE_POLICY, renderPage } from './page-layout.ts'
import { serveSetUpPage } from './set-up-page.ts'
import type { Simulator } from './simulator.ts'
import { OWN_ACCOUNT, type StoredInvoice } from './store.ts'
import { StripeFault } from './stripe-fault.ts'

type InvoicePage = { Params: { account: string; token: string }; Querystring: { declined?: string } }
type AccountPage = { Params: { account: string }; Querystring: { return_url?: string } }

/** Serves the pages of payers (an invoice, its PDF, saving a card) and of schools (the onboarding of an account). */
export function servePages(app: FastifyInstance, simulator: Simulator, publicUrl: () => string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  app.get<InvoicePage>('/i/:account/:token', (request, reply) => {
    const { scope, invoice } = find(simulator, publicUrl(), request.params)
    if (!invoice) return missing(reply)
    const pdf = `/i/${request.params.account}/${request.params.token}/pdf`
    return html(reply, renderInvoice(scope.book, invoice, pdf, request.query.declined === '1'))
  })

  app.get<InvoicePage>('/i/:account/:token/pdf', (request, reply) => {
    const { scope, invoice } = find(simulator, publicUrl(), request.params)
    if (!invoice) return missing(reply)
    return reply.type('application/pdf').send(renderInvoicePdf(scope.book, invoice))
  })

  app.post<InvoicePage>('/i/:account/:token', (request, reply) => {
    const { scope, invoice } = find(simulator, publicUrl(), request.params)
    if (!invoice) return missing(reply)
    const problem = payOnPage(scope, invoice, cardIn(request))
    simulator.save()
    const { id, status, amount_paid } = invoice
    if (request.headers.accept?.includes('application/json')) {
      return problem
        ? reply.code(problem.status).send({ error: problem.body })
        : reply.send({ id, status, amount_paid })
    }
    return reply.redirect(`${request.url.split('?')[0]}${problem?.status === 402 ? '?declined=1' : ''}`, 303)
  })

  serveSetUpPage(app, simulator, publicUrl)

  app.get<AccountPage>('/connect/:account', (request, reply) => {
    const account = simulator.state.accounts.get(request.params.account)
    if (!account) return missing(reply)
    const body = `<h1>Open the payment account</h1>
<p class="quiet">${escapeHtml(account.email ?? account.id)}</p>
<p>A simulated page: the real processor asks here for details about the school.</p>
<form method="post"><button>Done</button></form>`
    return html(reply, renderPage('Open the payment account', body))
  })

  app.post<AccountPage>('/connect/:account', (request, reply) => {
    const account = simulator.state.accounts.get(request.params.account)
    if (!account) return missing(reply)
    Object.assign(account, { charges_enabled: true, details_submitted: true, payouts_enabled: true })
    simulator.scope(account.id, publicUrl(), null).emit('account.updated', account)
    simulator.save()
    const back = request.query.return_url ?? ''
    return /^https?:\/\//.test(back) ? reply.redirect(back, 303) : reply.code(204).send()
  })
}

/** Pays the invoice; does nothing when it is paid already. Returns null, or the error that prevents the payment. */
function payOnPage(scope: Scope, invoice: StoredInvoice, card: string): StripeFault | null {
  if (invoice.status === 'paid') return null
  if (!isPayable(invoice)) {
    return new StripeFault(409, { type: 'invalid_request_error', message: 'This invoice can no longer be paid.' })
  }
  try {
    charge(scope, invoice, card === 'declined' ? 'pm_card_chargeDeclined' : 'pm_card_visa')
    return null
  } catch (error) {
    if (error instanceof StripeFault) return error
    throw error
  }
}

function cardIn(request: FastifyRequest): string {
  const { card } = parseForm(typeof request.body === 'string' ? request.body : '')
  return typeof card === 'string' ? card : ''
}

function find(simulator: Simulator, publicUrl: string, { account, token }: InvoicePage['Params']) {
  const book = simulator.state.books.get(account)
  const [id] = [...(book?.tokens ?? [])].find(([, candidate]) => candidate === token) ?? []
  const scope = simulator.scope(book && account !== OWN_ACCOUNT ? account : null, publicUrl, null)
  const invoice = id === undefined ? undefined : scope.book.invoices.get(id)
  return { scope, invoice: invoice?.status === 'draft' ? undefined : invoice }
}

function missing(reply: FastifyReply): FastifyReply {
  return html(reply.code(404), renderPage('Not found', '<h1>There is no such page.</h1>'))
}

function html(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page)
}
