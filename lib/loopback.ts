/** Whether `host`, as a setting, a URL's `hostname` or a socket names it, is one of the usual names of this machine that lead to nobody else: localhost, 127.0.0.0/8, ::1. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
