type AvatarProps = {
  userId: string;
  /** Names the picture where the person gave one: a new one shows at once. */
  version?: string | null;
  size?: "medium" | "large";
};

const SIZES = { medium: "size-8", large: "size-16" };

/** A person's picture. Says nothing, for their name stands beside it. */
export function Avatar({ userId, version, size = "medium" }: AvatarProps) {
  return (
    <img
      src={`/avatars/${userId}${version ? `?v=${version}` : ""}`}
      alt=""
      width={96}
      height={96}
      loading="lazy"
      className={`${SIZES[size]} shrink-0 rounded-full bg-sunken object-cover`}
    />
  );
}
