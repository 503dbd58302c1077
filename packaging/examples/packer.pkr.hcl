# SPDX-License-Identifier: LGPL-2.1-or-later
#
# An image with setmtu and a line for a device: packer build -var package=setmtu_VERSION_amd64.deb packer.pkr.hcl
# Replace the source by that of your platform. The one here runs the commands on a machine that you have.

variable "package" {
  type = string
}

variable "host" {
  type    = string
  default = "192.0.2.10"
}

source "null" "machine" {
  ssh_host     = var.host
  ssh_username = "root"
}

build {
  sources = ["source.null.machine"]

  # The lines may be there first: installing asks nothing, and leaves them alone.
  provisioner "shell" {
    inline = [
      "mkdir -p /etc/conf.d",
      "echo enp2s0=9000 >/etc/conf.d/setmtu",
    ]
  }

  provisioner "file" {
    source      = var.package
    destination = "/tmp/setmtu.deb"
  }

  # Nothing is set while the image is built: the device is set when it boots.
  provisioner "shell" {
    environment_vars = ["DEBIAN_FRONTEND=noninteractive"]
    inline = [
      "apt-get install --yes /tmp/setmtu.deb",
      "rm /tmp/setmtu.deb",
      "setmtu check",
    ]
  }
}
