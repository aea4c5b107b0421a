# SPDX-License-Identifier: ISC
# nix-build share/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "prof-tools";
  version = pkgs.lib.fileContents ../../VERSION;
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = with pkgs; [
    bzip2
    elfutils
    isa-l
    libiberty
    libyaml
    lz4
    ncurses
    xz
    zlib
    zstd
  ];

  # Libraries that are loaded when they are needed.
  NIX_LDFLAGS = with pkgs;
    "-rpath ${lib.makeLibraryPath [ bzip2 elfutils isa-l lz4 ncurses xz ]}";

  makeFlags = [ "PREFIX=$(out)" ];
  enableParallelBuilding = true;

  meta = {
    description = "Filters for profiles: decode, grep, merge, diff, encode, rank";
    homepage = "https://prof.invalid";
    license = pkgs.lib.licenses.isc;
    mainProgram = "prof";
    platforms = pkgs.lib.platforms.linux;
  };
}
