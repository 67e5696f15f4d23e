import { type Html, html } from './html.ts'
import { layout, pagePolicy } from './layout.ts'

/** A person of the demo school, as whom a visitor can sign in. */
export interface DemoPerson {
  role: string
  email: string
}

/** What the front page shows in addition when the service runs with stand-ins. */
export interface LocalPages {
  inboxUrl: string | null
  /** Empty without the demo school. */
  people: readonly DemoPerson[]
}

/** The facts on the front page. They are the answer of `GET /health`. */
export interface ServiceState {
  status: 'ok' | 'unavailable'
  version: string
}

/**
 * Returns the front page. `local` is null unless the service runs with stand-ins and the visitor is on the same
 * machine.
 */
export function frontPage({ status, version }: ServiceState, local: LocalPages | null): string {
  const ok = status === 'ok'
  return layout({
    title: 'Welcome',
    body: html`<h1>Flightline</h1>
<p>Scheduling, dispatch, close-out, billing and training for flight schools.</p>
<p>Version ${version}. <strong class="${ok ? 'good' : 'bad'}">${ok ? 'In service.' : 'Not available at the moment.'}</strong></p>
<section class="card"><h2>For developers</h2><ul class="plain">
<li><a href="/docs">Reference</a>: every operation with its fields, errors and examples</li>
<li><a href="/docs/guides/first-request">First request</a>: from nothing to an answer</li>
<li><a href="/docs/try">Try it out</a>: requests from the browser</li>
<li><a href="/openapi.json">OpenAPI document</a></li></ul></section>
<section class="card"><h2>For operators</h2><ul class="plain">
<li><a href="/health">Health</a></li>
<li><a href="/ops/queues">Queues</a>, with the operators’ password</li>${
      local?.inboxUrl && html`<li><a href="${local.inboxUrl}">Inbox</a>: the mails that stay on this machine</li>`
    }</ul></section>
${local && local.people.length > 0 && signIns(local.people)}`,
  })
}

function signIns(people: readonly DemoPerson[]): Html {
  return html`<section class="card"><h2>Demo school</h2><p>Bay Flight Academy. Sign in as</p>
<form class="people" action="/demo/sign-in" method="post">${people.map(
    ({ role, email }) => html`<button name="email" value="${email}">${role}</button>`,
  )}</form></section>`
}

/** Returns the page with the token of a person of the demo school. */
export function signedInPage(publicUrl: string, { role, email }: DemoPerson, token: string): string {
  return layout({
    title: 'Signed in',
    body: html`<h1>Signed in as the ${role}</h1><p>${email}, for 30 days. Send the token with each request:</p>
<section class="card"><h2>In a shell</h2><pre><code>TOKEN=${token}
curl -s ${publicUrl}/auth -H "authorization: Bearer $TOKEN"</code></pre></section>
<section class="card"><h2>In the browser</h2><p>Open <a href="/docs/try">Try it out</a>, choose Authorize, and paste the token.</p></section>
<p><a href="/">Back to the front page</a></p>`,
  })
}

/** The page of an address that the service does not have. It says nothing of the request. */
export const missingPage = {
  policy: pagePolicy,
  html: layout({
    title: 'Nothing here',
    body: html`<h1>There is no page at this address</h1>
<p>The link may be old, or the address mistyped.</p>
<section class="card"><h2>Where to go</h2><ul class="plain">
<li><a href="/">Front page</a>: what the service is, and its state</li>
<li><a href="/docs">Reference</a>: every operation, with its address and methods</li>
<li><a href="/docs/guides/first-request">First request</a>: from nothing to an answer</li></ul></section>
<p>Did a mail bring you here? Open its link as a whole, or ask for a new one.</p>`,
  }),
}
