/** Whether `host`, a name or an IP address as a URL or a socket writes it, is this machine as only itself can reach it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
