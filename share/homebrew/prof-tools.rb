# SPDX-License-Identifier: ISC
class ProfTools < Formula
  desc "Filters for profiles: decode, grep, merge, diff, encode, rank"
  homepage "https://prof.invalid/"
  url "https://prof.invalid/prof-3.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000" # make formula
  license "ISC"

  depends_on "pkg-config" => :build
  depends_on "bzip2"
  depends_on "isa-l"
  depends_on "libyaml"
  depends_on :linux
  depends_on "lz4"
  depends_on "ncurses"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "PREFIX=#{prefix}", "BASHDIR=#{bash_completion}",
           "ZSHDIR=#{zsh_completion}", "FISHDIR=#{fish_completion}", "install"
  end

  test do
    (testpath/"a.folded").write "main;work 3\n"
    assert_match(/^ *3 +100\.00 .* work/, shell_output("#{bin}/prof-top #{testpath}/a.folded"))
  end
end
