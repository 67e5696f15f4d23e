import type { FastifyInstance } from 'fastify'
import { Invalid } from '../../shared/kernel/errors.ts'

/** Levels of arrays and objects that any body of ours could need, many times over. */
const MAX_DEPTH = 64

/**
 * JSON is the only body there is. An empty one is no body (some clients send the header with every request);
 * `__proto__` keys and absurdly deep nesting are refused before anything looks at them.
 */
export function installJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (tooDeep(body as string)) return done(new Invalid('The body is nested too deeply.'))
    parse(request, body as string, done)
  })
}

function tooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (inString) {
      if (character === 92) i++
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 91 || character === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth--
  }
  return false
}
