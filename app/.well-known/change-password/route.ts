import { endpoint } from "#lib/http";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Where password managers look for the page that changes a password (https://w3c.github.io/webappsec-change-password-url/). 302. */
  GET: () => new Response(null, { status: 302, headers: { Location: "/me#password" } }),
});
